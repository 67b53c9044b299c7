return { name: 'bad-inject', inject: 'probe', apply() {} }
