return { name: 'bad return', apply() { return 7 } }
