return null
