return { then(ok) { ok({ name: 'from-thenable', apply() { console.log('thenable ok') } }) } }
