/** What a form says, before it is read as anything: Stripe's bodies and queries nest with brackets (`a[b][0]=c`). */
export type FormValue = string | FormTree
export interface FormTree {
  [name: string]: FormValue
}

const KEY = /^([^[\]]+)((?:\[[^[\]]*\])*)$/

/** Reads a form-encoded text. Lists become trees with the keys 0, 1, …; a pair that does not nest properly keeps its name as it is. */
export function parseForm(text: string): FormTree {
  const tree = emptyTree()
  for (const [name, value] of new URLSearchParams(text)) {
    const match = KEY.exec(name)
    const path = match ? [match[1]!, ...[...match[2]!.matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1]!)] : [name]
    place(tree, path, value)
  }
  return tree
}

function place(tree: FormTree, [name = '', ...rest]: string[], value: string): void {
  const key = name === '' ? String(Object.keys(tree).length) : name
  if (rest.length === 0) {
    tree[key] = value
    return
  }
  const below = tree[key]
  const branch = typeof below === 'object' ? below : emptyTree()
  tree[key] = branch
  place(branch, rest, value)
}

/** Without a prototype, so that no name in a request can mean something to us. */
function emptyTree(): FormTree {
  return Object.create(null)
}
