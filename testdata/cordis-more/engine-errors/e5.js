return { apply() { const f = {}; f.g() } }
