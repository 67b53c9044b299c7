return function* (ctx) { console.log('step 1'); yield () => console.log('undo step 1'); console.log('step 2'); yield () => console.log('undo step 2') }
