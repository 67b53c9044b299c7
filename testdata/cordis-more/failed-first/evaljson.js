JSON.parse('{oops')
