export default { apply() {} }
