// common/subgroup_matrices: matrix types for hardware that computes 16 x 16 sums of 32 products of bytes at once.

// variant rows_first: type parameters with rows before columns, as in Chromium since version 153.
// Provides: Tokens, Rows, Products.
enable subgroups;
enable chromium_experimental_subgroup_matrix;

// 16 tokens at 32 bytes.
alias Tokens = subgroup_matrix_left<i8, 16, 32>;
// 32 bytes of 16 rows.
alias Rows = subgroup_matrix_right<i8, 32, 16>;
// 16 tokens by 16 rows.
alias Products = subgroup_matrix_result<i32, 16, 16>;

// variant columns_first: type parameters with columns before rows, as in Dawn before that.
// Provides: Tokens, Rows, Products.
enable subgroups;
enable chromium_experimental_subgroup_matrix;

// 16 tokens at 32 bytes.
alias Tokens = subgroup_matrix_left<i8, 32, 16>;
// 32 bytes of 16 rows.
alias Rows = subgroup_matrix_right<i8, 16, 32>;
// 16 tokens by 16 rows.
alias Products = subgroup_matrix_result<i32, 16, 16>;
