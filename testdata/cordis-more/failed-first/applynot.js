return { apply: 'x' }
