"""Tools of the development: nothing of the product imports them."""
