"""Ask people about candidates, count their answers, and learn from them."""
