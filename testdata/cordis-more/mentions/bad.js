return { apply() { throw new Error('never up') } }
