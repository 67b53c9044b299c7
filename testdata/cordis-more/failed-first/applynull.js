return { apply() { throw null } }
