const { log } = console
log('detached works')
;[1, 2].forEach(console.log)
try { console.log.call(null, 'null this') } catch (e) { console.log('threw', e.message) }
console.log('long ' + 'x'.repeat(300))
return () => { console.log('fn form') }
