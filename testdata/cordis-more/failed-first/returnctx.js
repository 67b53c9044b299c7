return ctx => { console.log(typeof ctx.get('ghost'), typeof ctx.get('probe'), typeof ctx.get('tools'), typeof ctx.get('timer')); return undefined }
