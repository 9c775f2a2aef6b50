"""A Docusaurus site's files as a reader sees them: pages, sections, tables, pictures, addresses."""
