return {
  apply(ctx) {
    return <div className="x">hi</div>
  },
}
