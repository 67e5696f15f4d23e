/** What a form says, before it is read as anything: Stripe's bodies and queries nest with brackets (`a[b][0]=c`). */
export type FormValue = string | FormTree
export interface FormTree {
  [name: string]: FormValue
}

const KEY = /^([^[\]]+)((?:\[[^[\]]*\])*)$/

/** Reads a form-encoded text. Lists become trees with the keys 0, 1, …; a pair that does not nest properly keeps its name as it is. */
export function parseForm(text: string): FormTree {
  const tree = emptyTree()
  const sizes = new Map<FormTree, number>()
  for (const [name, value] of new URLSearchParams(text)) {
    const match = KEY.exec(name)
    const path = match ? [match[1]!, ...[...match[2]!.matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1]!)] : [name]
    place(tree, path, value, sizes)
  }
  return tree
}

/** Puts a value at its path; `sizes` is how many names each tree has, so that none is counted again and again. */
function place(root: FormTree, path: readonly string[], value: string, sizes: Map<FormTree, number>): void {
  let tree = root
  for (const [depth, name] of path.entries()) {
    const size = sizes.get(tree) ?? 0
    const key = name === '' ? String(size) : name
    const below = tree[key]
    if (below === undefined) sizes.set(tree, size + 1)
    if (depth === path.length - 1) {
      tree[key] = value
    } else {
      const branch = typeof below === 'object' ? below : emptyTree()
      tree[key] = branch
      tree = branch
    }
  }
}

/** Without a prototype, so that no name in a request can mean something to us. */
function emptyTree(): FormTree {
  return Object.create(null)
}
