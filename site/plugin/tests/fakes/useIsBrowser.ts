export default () => true;
