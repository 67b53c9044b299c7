return ctx => { ctx.provide('shared', { v: 1 }) }
