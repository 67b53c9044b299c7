const path = require('node:path')
out(path === require('path').posix)
const names = ['', '.', '..', '/', '//', '///', 'a', 'a/', '/a', '/a/', '//a', '//a/b', 'a/b', '/a/b/', 'a/../b', '/a/../..', '../a', 'a//b', './a', 'a/.', 'a/..', 'a/b/..', '.x', 'x.', 'x.y', 'x.y.z', '.x.y', '..x', 'a/.x', 'a.b/c', '/.', 'a/b/../../..']
for (const p of names) out([p, path.normalize(p), path.dirname(p), path.basename(p), path.extname(p), path.isAbsolute(p), path.parse(p), path.resolve('/base/x', p), path.join('q', p), path.join(p, 'q')])
for (const a of ['/a/b', '/a', '/', '/a/b/c/', '/ab']) for (const b of ['/a/b', '/a/c', '/',  '/a/b/c/d', '/abc']) out([a, b, path.posix.relative(a, b)])
out([path.basename('a/b.txt', '.txt'), path.basename('.txt', '.txt'), path.basename('b.txt', 'x'), path.basename('b.txt/', '.txt'), path.join(), path.join('', ''), path.resolve(), path.sep, path.delimiter])
out([path.format({ dir: '/a', base: 'b' }), path.format({ root: '/', name: 'x', ext: '.y' }), path.format({ root: '/', dir: '/', base: 'b' }), path.format({ name: 'a', ext: 'b' }), path.format({})])
for (const bad of [null, undefined, 5, {}, []]) out([thrown(() => path.join(bad)), thrown(() => path.resolve(bad)), thrown(() => path.basename(bad))])
const w = path.win32
out([w.sep, w.delimiter, w.posix === path.posix, path.win32 === w.win32])
const wins = ['', '.', 'C:\\', 'C:', 'C:a', 'C:\\a', 'C:/a/b', 'c:\\a\\..\\..', '\\', '\\a', '/a/b', '\\\\s\\h', '\\\\s\\h\\', '\\\\s\\h\\a\\b', '//s/h/a', 'a\\b', 'a/b\\', '..\\a', 'C:..\\a', 'a.b', 'C:\\x.y', 'C:\\a\\', 'D:\\a\\.\\b\\..\\c']
for (const p of wins) out([p, w.normalize(p), w.dirname(p), w.basename(p), w.extname(p), w.isAbsolute(p), w.parse(p), w.resolve('C:\\base', p), w.join('q', p), w.join(p, 'q')])
for (const [a, b] of [['C:\\a\\b', 'C:\\a\\c'], ['C:\\a', 'D:\\b'], ['C:\\A\\b', 'c:\\a\\B\\c'], ['C:\\', 'C:\\x'], ['\\\\s\\h\\a', '\\\\s\\h\\b']]) out(w.relative(a, b))
out([w.resolve('C:\\a', '..\\b', 'c'), w.resolve('C:\\a', 'D:b', '\\c'), w.resolve('C:\\a', '\\b'), w.resolve('\\\\s\\h', 'x'), w.join('\\\\s', 'h', 'a'), w.join('\\', '\\a', 'b')])
out([w.toNamespacedPath('C:\\a'), w.toNamespacedPath('\\\\s\\h\\a'), w.toNamespacedPath(''), w.format({ dir: 'C:\\a', base: 'b' }), w.format({ root: 'C:\\', base: 'b' })])
