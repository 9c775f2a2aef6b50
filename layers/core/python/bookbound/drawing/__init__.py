"""Charts as inline SVG; colours come from the page's style sheet."""
