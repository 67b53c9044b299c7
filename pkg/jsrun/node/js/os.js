(function (require, native) {
  'use strict'
  const host = native('host')
  const windows = host.platform() === 'win32'
  const signals = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGILL: 4, SIGTRAP: 5, SIGABRT: 6, SIGBUS: 7, SIGFPE: 8, SIGKILL: 9, SIGUSR1: 10, SIGSEGV: 11, SIGUSR2: 12, SIGPIPE: 13, SIGALRM: 14, SIGTERM: 15, SIGCHLD: 17, SIGCONT: 18, SIGSTOP: 19, SIGTSTP: 20, SIGTTIN: 21, SIGTTOU: 22, SIGWINCH: 28, SIGIO: 29 }
  const errno = { EPERM: 1, ENOENT: 2, ESRCH: 3, EINTR: 4, EIO: 5, EBADF: 9, EAGAIN: 11, ENOMEM: 12, EACCES: 13, EBUSY: 16, EEXIST: 17, EXDEV: 18, ENOTDIR: 20, EISDIR: 21, EINVAL: 22, EMFILE: 24, EFBIG: 27, ENOSPC: 28, EROFS: 30, EPIPE: 32, ENAMETOOLONG: 36, ENOTEMPTY: 39, ELOOP: 40, EADDRINUSE: 98, ECONNRESET: 104, ETIMEDOUT: 110, ECONNREFUSED: 111 }
  const types = { linux: 'Linux', darwin: 'Darwin', win32: 'Windows_NT', freebsd: 'FreeBSD' }
  const machines = { x64: 'x86_64', arm64: 'arm64', ia32: 'i686' }
  return {
    EOL: windows ? '\r\n' : '\n',
    devNull: windows ? '\\\\.\\nul' : '/dev/null',
    homedir: () => host.home(),
    tmpdir: () => {
      const dir = host.temp()
      return dir.length > 1 && dir.endsWith('/') ? dir.slice(0, -1) : dir
    },
    hostname: () => host.hostname(),
    platform: () => host.platform(),
    arch: () => host.arch(),
    machine: () => machines[host.arch()] || host.arch(),
    type: () => types[host.platform()] || host.platform(),
    release: () => '0.0.0',
    version: () => '',
    endianness: () => 'LE',
    cpus: () => [],
    availableParallelism: () => 1,
    loadavg: () => [0, 0, 0],
    networkInterfaces: () => ({}),
    totalmem: () => 2 ** 30,
    freemem: () => 2 ** 29,
    uptime: () => 0,
    getPriority: () => 0,
    setPriority() {},
    userInfo: () => ({ uid: -1, gid: -1, username: host.user(), homedir: host.home(), shell: null }),
    constants: { signals, errno, priority: { PRIORITY_LOW: 19, PRIORITY_BELOW_NORMAL: 10, PRIORITY_NORMAL: 0, PRIORITY_ABOVE_NORMAL: -7, PRIORITY_HIGH: -14, PRIORITY_HIGHEST: -20 }, UV_UDP_REUSEADDR: 4, dlopen: {} },
  }
})
