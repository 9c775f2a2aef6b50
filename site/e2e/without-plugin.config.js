// The demo site without the plugin, to measure what the plugin adds; is copied into sample_book/node_modules.
import config from '../docusaurus.config.js';

export default {...config, plugins: config.plugins.filter(([name]) => name !== 'docusaurus-plugin-bookbound')};
