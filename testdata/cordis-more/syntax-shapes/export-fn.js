const a = 1
  export function apply(ctx) {}
