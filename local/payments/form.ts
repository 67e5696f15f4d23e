/** A parsed but untyped form: Stripe's bodies and queries nest with brackets (`a[b][0]=c`). */
export type FormValue = string | FormTree
export interface FormTree {
  [name: string]: FormValue
}

const KEY = /^([^[\]]+)((?:\[[^[\]]*\])*)$/

/** Parses a form-encoded text. Lists become trees with the keys 0, 1, …; a malformed name stays as it is. */
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

/** Stores a value at its path. `sizes` caches the number of names per tree. */
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

/** Returns a tree without a prototype, so that no name in a request reaches an inherited property. */
function emptyTree(): FormTree {
  return Object.create(null)
}
