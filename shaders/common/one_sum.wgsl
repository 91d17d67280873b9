// common/one_sum: a row has one sum.
// Gives: Sum.

alias Sum = f32;
