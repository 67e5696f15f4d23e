import type Stripe from 'stripe'
import type { FormTree, FormValue } from './form.ts'
import { badParameter } from './stripe-fault.ts'

/**
 * Parses one parameter.
 * @throws StripeFault for a wrong value
 */
export type Param<T> = (value: FormValue | undefined, name: string) => T
export type ParamSpec = Record<string, Param<unknown>>
export type Read<S extends ParamSpec> = { [K in keyof S]: ReturnType<S[K]> }

/** Parses the parameters of a request. Unknown names are refused, as at Stripe. */
export function readParams<S extends ParamSpec>(spec: S, tree: FormTree): Read<S> {
  const unknown = Object.keys(tree).find((name) => !Object.hasOwn(spec, name))
  if (unknown !== undefined) throw badParameter(`Received unknown parameter: ${unknown}`, unknown, 'parameter_unknown')
  return Object.fromEntries(Object.entries(spec).map(([name, read]) => [name, read(tree[name], name)])) as Read<S>
}

/** Returns a parser that refuses a request without the parameter. */
export function required<T>(read: Param<T | undefined>): Param<T> {
  return (value, name) => {
    const given = read(value, name)
    if (given === undefined) throw badParameter(`Missing required param: ${name}.`, name, 'parameter_missing')
    return given
  }
}

/** Parses a text; undefined when it is absent or empty. */
export function text(maxLength = 5000): Param<string | undefined> {
  return (value, name) => {
    const given = single(value, name)
    if (given !== undefined && given.length > maxLength) {
      throw badParameter(`Invalid string: ${name} must be at most ${maxLength} characters`, name)
    }
    return given === '' ? undefined : given
  }
}

/** Parses an email address, checked as loosely as Stripe does. */
export const email: Param<string | undefined> = (value, name) => {
  const given = text(512)(value, name)
  if (given !== undefined && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(given)) {
    throw badParameter(`Invalid email address: ${given}`, name, 'email_invalid')
  }
  return given
}

/** Parses a whole number within bounds. */
export function integer(least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER): Param<number | undefined> {
  return (value, name) => {
    const given = single(value, name)
    if (given === undefined || given === '') return undefined
    const number = /^-?\d{1,15}$/.test(given) ? Number(given) : Number.NaN
    const code = 'parameter_invalid_integer'
    if (Number.isNaN(number)) throw badParameter(`Invalid integer: ${given}`, name, code)
    if (number < least) throw badParameter(`This value must be greater than or equal to ${least}.`, name, code)
    if (number > most)
      throw badParameter(`This value must be less than or equal to ${most} (it currently is '${number}').`, name, code)
    return number
  }
}

export const boolean: Param<boolean | undefined> = (value, name) => {
  const given = single(value, name)
  if (given === undefined || given === '') return undefined
  if (given !== 'true' && given !== 'false') throw badParameter(`Invalid boolean: ${given}`, name)
  return given === 'true'
}

/** Parses one of the given values. */
export function oneOf<const T extends string>(...words: T[]): Param<T | undefined> {
  return (value, name) => {
    const given = single(value, name)
    if (given === undefined || given === '') return undefined
    const word = words.find((candidate) => candidate === given)
    if (word === undefined) {
      const choices = `${words.slice(0, -1).join(', ')}, or ${words.at(-1)}`
      throw badParameter(`Invalid ${name}: must be one of ${choices}`, name)
    }
    return word
  }
}

/** Parses a currency code into lower case. */
export const currency: Param<string | undefined> = (value, name) => {
  const given = single(value, name)?.toLowerCase()
  if (given === undefined || given === '') return undefined
  if (!/^[a-z]{3}$/.test(given)) throw badParameter(`Invalid currency: ${given}.`, name)
  return given
}

/** Parses key-value pairs; undefined when they are absent, no pairs for an empty text. */
export const metadata: Param<Stripe.Metadata | undefined> = (value, name) => {
  if (value === undefined || typeof value === 'string') return value === undefined ? undefined : {}
  const pairs = Object.entries(value).map(([key, entry]) => {
    const given = single(entry, `${name}[${key}]`) ?? ''
    if (key.length > 40 || given.length > 500) throw badParameter('Invalid metadata: too long', `${name}[${key}]`)
    return [key, given] as const
  })
  return Object.fromEntries(pairs)
}

/** Parses a list of objects; unknown names in an object are refused, as in a request. */
export function listOf<S extends ParamSpec>(spec: S, most: number): Param<Read<S>[] | undefined> {
  return (value, name) => {
    if (value === undefined) return undefined
    if (typeof value === 'string') throw badParameter('Invalid array', name)
    const entries = Object.values(value)
    if (entries.length > most) throw badParameter(`Array ${name} exceeded maximum ${most} allowed elements.`, name)
    return entries.map((entry) => {
      if (typeof entry === 'string') throw badParameter('Invalid object', name)
      return readParams(spec, entry)
    })
  }
}

/** Parses a list of texts. */
export function listOfTexts(most: number): Param<string[] | undefined> {
  return (value, name) => {
    if (value === undefined) return undefined
    if (typeof value === 'string') throw badParameter('Invalid array', name)
    const texts = Object.values(value).map((entry) => single(entry, name) ?? '')
    if (texts.length > most) throw badParameter(`Array ${name} exceeded maximum ${most} allowed elements.`, name)
    return texts
  }
}

/** A range of times, in seconds since 1970. */
export interface TimeRange {
  gt?: number
  gte?: number
  lt?: number
  lte?: number
}

export const timeRange: Param<TimeRange | undefined> = (value, name) => {
  if (value === undefined) return undefined
  if (typeof value === 'string') {
    const at = integer(0)(value, name)
    return at === undefined ? undefined : { gte: at, lte: at }
  }
  return readParams({ gt: integer(0), gte: integer(0), lt: integer(0), lte: integer(0) }, value)
}

/** Parses the names of objects to embed instead of their ids; other names than `expandable` are refused. */
export function expand(...expandable: string[]): Param<string[]> {
  return (value, name) => {
    const wanted = value === undefined ? [] : Object.values(value).map((entry) => single(entry, name) ?? '')
    const never = wanted.find((property) => !expandable.includes(property))
    if (never === undefined) return wanted
    throw badParameter(`This property cannot be expanded (${never}).`, 'expand')
  }
}

function single(value: FormValue | undefined, name: string): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  throw badParameter(`Invalid string: ${name}`, name)
}
