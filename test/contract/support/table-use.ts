import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from '@swc/core'

const root = join(import.meta.dirname, '../../..')

/** What a file of src does with tables, read from its syntax tree. */
export interface TableUse {
  /** From the root of the repository. */
  file: string
  /** Reads by the ORM, by Kysely or in SQL text: `em.findOne(Invoice)`, `selectFrom(seat)`, `select … from`. */
  reads: string[]
  /** Tables that Kysely or SQL writes; `?` when the name is an expression. */
  written: string[]
  /** What these writes do, with the table: `insert seat`, `update seat`, `delete seat`, `merge seat`. */
  acts: string[]
  /** Tables whose due rows `claimBatch` marks. */
  claimed: string[]
  /** Entities that the ORM creates, inserts, updates or deletes by class. */
  persisted: string[]
  /** Entities that the ORM loads. */
  loaded: string[]
  /** The tables that the file declares: the name in code, the name of the table, and the word that declares it. */
  declared: Declared[]
}

/** `export const Seat = set('seat', …)`. */
export interface Declared {
  code: string
  table: string
  word: string
}

interface Node {
  type: string
  [key: string]: unknown
}

const LOADS = /^(find|findOne|findOneOrFail|findAll|findAndCount|findByCursor|count|refresh)$/
const PERSISTS = /^(create|insert|insertMany|upsert|upsertMany|nativeUpdate|nativeDelete)$/
const WRITES = /^(insertInto|updateTable|deleteFrom|mergeInto)$/
const DECLARES = /^(aggregate|set|log)$/
const MANAGERS = /^(em|manager|fork)$/
const WRITE_SQL =
  /\b(insert\s+into|update|delete\s+from)\s+(?:only\s+)?(\w+|\?)(?=\s+(?:as\s+\w+\s+|\w+\s+)?(?:set|\(|where|using|values|select)\b|\s*\(|\s+\w+\s*\(|\s+as\s)/gi
/** An insert that updates the row that is there. */
const UPSERT_SQL = /\binsert\s+into\s+(\w+|\?)(?:(?!\binsert\s+into\b)[\s\S])*?\bon\s+conflict\b[^;]*?\bdo\s+update\b/gi
const READ_SQL = /\bselect\b[\s\S]*?\bfrom\b/i

/** Reads every file of the three folders that the service consists of. */
export function readTableUses(): TableUse[] {
  return ['src/shared', 'src/api', 'src/workers'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => useOf(`${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8')))
      .sort((a, b) => (a.file < b.file ? -1 : 1)),
  )
}

/** Returns what one source does with tables. */
export function useOf(file: string, source: string): TableUse {
  const use: TableUse = { file, reads: [], written: [], acts: [], claimed: [], persisted: [], loaded: [], declared: [] }
  visit(parseSync(source, { syntax: 'typescript' }) as unknown as Node, use)
  return use
}

function visit(node: unknown, use: TableUse): void {
  if (typeof node !== 'object' || node === null) return
  if (isNode(node)) {
    if (node.type === 'CallExpression') noteCall(node, use)
    if (node.type === 'VariableDeclarator' && use.file.endsWith('.tables.ts')) noteDeclared(node, use)
    if (node.type === 'TemplateLiteral' && node.expressions) noteSql(textOf(node), use)
    if (node.type === 'StringLiteral') noteSql(String(node.value), use)
  }
  // The condition of a claim is part of the statement that writes.
  const reads = isClaim(node) ? [...use.reads] : null
  for (const child of Object.values(node)) visit(child, use)
  if (reads) use.reads = reads
}

function isClaim(node: object): boolean {
  return isNode(node) && node.type === 'CallExpression' && (node.callee as Node).value === 'claimBatch'
}

function noteCall(node: Node, use: TableUse): void {
  const callee = node.callee as Node
  const args = (node.arguments as { expression: Node }[]).map(({ expression }) => expression)
  const [first] = args
  if (callee.type === 'Identifier') {
    if (callee.value === 'claimBatch') use.claimed.push(property(args[1], 'table') ?? '?')
  }
  if (callee.type !== 'MemberExpression') return
  const method = String((callee.property as Node).value)
  const object = callee.object as Node
  const owner = object.type === 'MemberExpression' ? (object.property as Node).value : object.value
  if (method === 'selectFrom') use.reads.push(`selectFrom(${nameOf(first)})`)
  if (WRITES.test(method)) {
    const table = first?.type === 'StringLiteral' ? String(first.value).split(' ')[0]! : '?'
    use.written.push(table)
    use.acts.push(`${verbOf(method)} ${table}`)
  }
  if (method === 'onConflict' && names(args, 'doUpdateSet')) use.acts.push(`update ${insertedInto(object)}`)
  if (!MANAGERS.test(String(owner))) return
  if (LOADS.test(method)) {
    use.reads.push(`em.${method}(${nameOf(first)})`)
    use.loaded.push(nameOf(first))
  }
  if (PERSISTS.test(method)) use.persisted.push(nameOf(first))
}

function noteDeclared({ id, init }: Node, use: TableUse): void {
  const call = (init ?? {}) as Node
  const word = String((call.callee as Node | undefined)?.value)
  if (!DECLARES.test(word)) return
  const [first] = call.arguments as { expression: Node }[]
  use.declared.push({ code: nameOf(id as Node), table: nameOf(first?.expression), word })
}

/** Returns the verb at the start of a Kysely method or of a statement, as a right is named. */
function verbOf(text: string): string {
  return /^(insert|update|delete|merge)/i.exec(text)?.[0].toLowerCase() ?? '?'
}

function names(node: unknown, name: string): boolean {
  if (typeof node !== 'object' || node === null) return false
  return (isNode(node) && node.value === name) || Object.values(node).some((child) => names(child, name))
}

/** Returns the table of the insert that a chain of calls begins with. */
function insertedInto(node: Node): string {
  const callee = node.callee as Node | undefined
  if (!callee) return '?'
  if ((callee.property as Node | undefined)?.value !== 'insertInto') return insertedInto((callee.object ?? {}) as Node)
  return nameOf((node.arguments as { expression: Node }[])[0]?.expression)
}

/** A select in a statement that writes is part of the write. */
function noteSql(text: string, use: TableUse): void {
  const writes = [...text.matchAll(WRITE_SQL)]
  const written = writes.map(([, , table = '?']) => table)
  use.acts.push(...writes.map(([, verb = '', table]) => `${verbOf(verb)} ${table}`))
  for (const [, table] of text.matchAll(UPSERT_SQL)) use.acts.push(`update ${table}`)
  if (written.length === 0 && READ_SQL.test(text)) use.reads.push('select … from')
  use.written.push(...written)
}

/** Returns the text of a template; an expression in it reads `?`, and `sql.table('seat')` reads `seat`. */
function textOf({ quasis, expressions }: Node): string {
  const values = (expressions as Node[]).map((expression) => {
    const [argument] = (expression.arguments as { expression: Node }[] | undefined) ?? []
    return argument?.expression.type === 'StringLiteral' ? String(argument.expression.value) : '?'
  })
  return (quasis as Node[]).map(({ cooked }, index) => `${String(cooked)}${values[index] ?? ''}`).join('')
}

/** Returns the value of a property of an object literal, when it is a string. */
function property(object: Node | undefined, key: string): string | undefined {
  const properties = (object?.properties ?? []) as { key?: Node; value?: Node }[]
  const value = properties.find((entry) => entry.key?.value === key)?.value
  return value?.type === 'StringLiteral' ? String(value.value) : undefined
}

function nameOf(node: Node | undefined): string {
  return node && (node.type === 'Identifier' || node.type === 'StringLiteral') ? String(node.value) : '?'
}

function isNode(value: object): value is Node {
  return 'type' in value && typeof value.type === 'string'
}
