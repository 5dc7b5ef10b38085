"""Read what people said with language models, in the background."""
