/** What can be reached without loading a page: the headings of this one. */
export default () => ({ siteConfig: { baseUrl: `${location.pathname}${location.search}#` } });
