return { name: 'rejecter', async apply() { await null; throw new Error('apply rejected') } }
