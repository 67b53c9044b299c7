return { apply() { null.x } }
