"""Statements that readers find in what people say, before the gate judges them."""
