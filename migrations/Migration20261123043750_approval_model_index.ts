import { Migration } from '@mikro-orm/migrations'

/** A member has one approval of a make and model, however it is written. */
export class Migration20261123043750_approval_model_index extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`
      create unique index concurrently if not exists resource_approval_model
        on resource_approval (organization_id, membership_id, lower(btrim(make)), lower(btrim(model)))
        where make is not null`)
  }
}
