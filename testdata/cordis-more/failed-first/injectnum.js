return { inject: 5, apply() {} }
