throw 'eval text'
