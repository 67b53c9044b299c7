return { name: 'hosty', apply() { console.log('up'); return () => console.log('down') } }
