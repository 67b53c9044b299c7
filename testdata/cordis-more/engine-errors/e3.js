return { apply() { undefinedFunction() } }
