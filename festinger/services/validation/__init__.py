"""Ask people, count their answers, and learn from them."""
