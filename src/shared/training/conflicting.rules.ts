/** Why something cannot be done as things stand: 409 with this code and message. */
export interface Conflicting {
  code: string
  message: string
}
