/** A computation that can pause after each step. */
export type Steps<T> = Generator<undefined, T>
