return [() => {}]
