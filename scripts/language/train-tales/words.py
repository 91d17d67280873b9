"""The vocabulary of the models, without PyTorch."""

VOCABULARY, BOS, EOS, CONTEXT = 1024, 0, 1, 512
