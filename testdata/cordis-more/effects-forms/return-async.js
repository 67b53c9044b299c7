return async ctx => { await null; return () => console.log('async apply undo') }
