"""Where facts come from: content identifiers, trails and their verification."""
