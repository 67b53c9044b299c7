(function (require, native) {
  'use strict'
  const { string } = require('internal')
  const host = native('host')

  // fold resolves . and .. among the names of a path.
  function fold(names, absolute) {
    const out = []
    for (const name of names) {
      if (name === '' || name === '.') continue
      if (name !== '..') out.push(name)
      else if (out.length > 0 && out[out.length - 1] !== '..') out.pop()
      else if (!absolute) out.push('..')
    }
    return out
  }

  // last finds where the last name of a path begins and ends, without the
  // separators behind it; the first root characters are no part of it.
  function last(path, root, isSep) {
    let end = path.length
    while (end > root && isSep(path[end - 1])) end--
    let start = end
    while (start > root && !isSep(path[start - 1])) start--
    return [start, end]
  }

  function extension(name) {
    const dot = name.lastIndexOf('.')
    if (dot <= 0 || name === '..') return ''
    return name.slice(dot)
  }

  function baseOf(path, suffix, root, isSep) {
    string(path, 'path')
    if (suffix !== undefined) string(suffix, 'suffix')
    if (suffix && suffix === path) return ''
    const [start, end] = last(path, root(path), isSep)
    const name = path.slice(start, end)
    if (suffix && name !== suffix && name.endsWith(suffix)) return name.slice(0, -suffix.length)
    return name
  }

  function formatter(sep) {
    return function format(parts) {
      if (parts === null || typeof parts !== 'object') throw require('internal').expected('pathObject', 'of type object', parts)
      const ext = parts.ext ? (parts.ext[0] === '.' ? '' : '.') + parts.ext : ''
      const base = parts.base || `${parts.name || ''}${ext}`
      const dir = parts.dir || parts.root
      if (!dir) return base
      return dir === parts.root ? `${dir}${base}` : `${dir}${sep}${base}`
    }
  }

  function parser(rootOf, isSep) {
    return function parse(path) {
      string(path, 'path')
      const root = rootOf(path)
      const [start, end] = last(path, root, isSep)
      const base = path.slice(start, end)
      const ext = extension(base)
      let cut = start
      if (cut > root) cut--
      return { root: path.slice(0, root), dir: path.slice(0, cut), base, ext, name: ext ? base.slice(0, -ext.length) : base }
    }
  }

  const slash = (c) => c === '/'
  const posixRoot = (path) => (path[0] === '/' ? 1 : 0)

  const posix = {
    sep: '/',
    delimiter: ':',
    resolve(...parts) {
      let path = ''
      for (let i = parts.length - 1; i >= -1 && path[0] !== '/'; i--) {
        const part = i < 0 ? host.cwd() : string(parts[i], `paths[${i}]`)
        if (part !== '') path = path === '' ? part : part + '/' + path
      }
      const absolute = path[0] === '/'
      const names = fold(path.split('/'), absolute).join('/')
      return absolute ? '/' + names : names || '.'
    },
    normalize(path) {
      string(path, 'path')
      if (path === '') return '.'
      const absolute = path[0] === '/'
      let names = fold(path.split('/'), absolute).join('/')
      if (names === '') return absolute ? '/' : path.endsWith('/') ? './' : '.'
      if (path.endsWith('/')) names += '/'
      return absolute ? '/' + names : names
    },
    isAbsolute: (path) => string(path, 'path')[0] === '/',
    join(...parts) {
      const path = parts.filter((part) => string(part, 'path') !== '').join('/')
      return path === '' ? '.' : posix.normalize(path)
    },
    relative(from, to) {
      string(from, 'from')
      string(to, 'to')
      if (from === to) return ''
      const here = posix.resolve(from).split('/').filter(Boolean)
      const there = posix.resolve(to).split('/').filter(Boolean)
      let same = 0
      while (same < here.length && same < there.length && here[same] === there[same]) same++
      return [...here.slice(same).map(() => '..'), ...there.slice(same)].join('/')
    },
    toNamespacedPath: (path) => path,
    dirname(path) {
      string(path, 'path')
      const [start] = last(path, posixRoot(path), slash)
      if (start === 0) return '.'
      if (start === 2 && path[0] === '/') return '//' // POSIX lets it stand for something of its own
      return path.slice(0, start - 1) || '/'
    },
    basename: (path, suffix) => baseOf(path, suffix, posixRoot, slash),
    extname: (path) => extension(posix.basename(path)),
    format: formatter('/'),
    parse: parser(posixRoot, slash),
  }

  const either = (c) => c === '/' || c === '\\'
  const letter = (c) => (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')

  // split takes a Windows path apart: device (a drive or a share), whether a root
  // follows, and the rest; root counts the characters before the rest.
  function split(path) {
    if (either(path[0])) {
      const share = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)/.exec(path)
      if (share) {
        let root = share[0].length
        while (root < path.length && either(path[root]) && root < share[0].length + 1) root++
        return { device: `\\\\${share[1]}\\${share[2]}`, absolute: true, unc: true, root, rest: path.slice(root) }
      }
      return { device: '', absolute: true, unc: false, root: 1, rest: path.slice(1) }
    }
    if (letter(path[0] || '') && path[1] === ':') {
      const absolute = either(path[2])
      const root = absolute ? 3 : 2
      return { device: path.slice(0, 2), absolute, unc: false, root, rest: path.slice(root) }
    }
    return { device: '', absolute: false, unc: false, root: 0, rest: path }
  }

  const names = (path) => path.split(/[\\/]+/)
  const windowsRoot = (path) => split(path).root

  const win32 = {
    sep: '\\',
    delimiter: ';',
    resolve(...parts) {
      let device = ''
      let absolute = false
      let tail = ''
      for (let i = parts.length - 1; i >= -1 && !(device && absolute); i--) {
        let part = i < 0 ? host.cwd() : string(parts[i], `paths[${i}]`)
        if (i < 0 && device && host.platform() !== 'win32') part = device + '\\'
        if (part === '') continue
        const s = split(part)
        if (s.device && device && s.device.toLowerCase() !== device.toLowerCase()) {
          if (i < 0) { absolute = true; break }
          continue
        }
        if (s.device && !device) device = s.device
        if (absolute) continue
        tail = s.rest + '\\' + tail
        absolute = s.absolute
      }
      const folded = fold(names(tail), absolute).join('\\')
      return device + (absolute ? '\\' : '') + folded || '.'
    },
    normalize(path) {
      string(path, 'path')
      if (path === '') return '.'
      const s = split(path)
      let tail = fold(names(s.rest), s.absolute).join('\\')
      if (tail === '' && !s.absolute) tail = '.'
      if (tail !== '' && either(path[path.length - 1]) && s.rest !== '') tail += '\\'
      // A name further in that reads as a drive must not become one.
      if (!s.absolute && s.device === '' && (/^[a-z]:/i.test(tail) || /:([\\/]|$)/.test(path))) return `.\\${tail}`
      return s.device + (s.absolute ? '\\' : '') + tail
    },
    isAbsolute: (path) => split(string(path, 'path')).absolute,
    join(...parts) {
      const given = parts.filter((part) => string(part, 'path') !== '')
      if (given.length === 0) return '.'
      let path = given.join('\\')
      // Only a first part that names a share makes the whole one.
      if (either(path[0]) && !/^[\\/]{2}[^\\/]/.test(given[0])) path = '\\' + path.replace(/^[\\/]+/, '')
      return win32.normalize(path)
    },
    relative(from, to) {
      string(from, 'from')
      string(to, 'to')
      if (from === to) return ''
      const origin = win32.resolve(from)
      const target = win32.resolve(to)
      const a = split(origin)
      const b = split(target)
      if (a.device.toLowerCase() !== b.device.toLowerCase()) return target
      const here = names(a.rest).filter(Boolean)
      const there = names(b.rest).filter(Boolean)
      let same = 0
      while (same < here.length && same < there.length && here[same].toLowerCase() === there[same].toLowerCase()) same++
      return [...here.slice(same).map(() => '..'), ...there.slice(same)].join('\\')
    },
    toNamespacedPath(path) {
      if (typeof path !== 'string' || path === '') return path
      const full = win32.resolve(path)
      const s = split(full)
      if (s.unc && !/^\\\\[?.]\\/.test(full)) return '\\\\?\\UNC\\' + full.slice(2)
      return /^[a-z]:\\/i.test(full) ? '\\\\?\\' + full : path
    },
    dirname(path) {
      string(path, 'path')
      const root = windowsRoot(path)
      const [start] = last(path, root, either)
      return path.slice(0, start > root ? start - 1 : root) || '.'
    },
    basename: (path, suffix) => baseOf(path, suffix, (p) => (letter(p[0] || '') && p[1] === ':' ? 2 : 0), either),
    extname: (path) => extension(win32.basename(path)),
    format: formatter('\\'),
    parse: parser(windowsRoot, either),
  }

  posix.posix = win32.posix = posix
  posix.win32 = win32.win32 = win32
  return host.platform() === 'win32' ? win32 : posix
})
