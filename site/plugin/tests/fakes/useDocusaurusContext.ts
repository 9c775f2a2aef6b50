export default () => ({ siteConfig: { baseUrl: "/" } });
