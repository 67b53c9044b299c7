return { apply(ctx) { ctx.probe.echo(1) } }
