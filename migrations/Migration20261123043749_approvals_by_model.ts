import { Migration } from '@mikro-orm/migrations'

/** An approval is of one resource, or of every aircraft of a make and model, and may end. */
export class Migration20261123043749_approvals_by_model extends Migration {
  override up(): void {
    this.addSql(`
      alter table resource_approval
        alter column resource_id drop not null,
        add column make text,
        add column model text,
        add column expires_at timestamptz(3),
        add constraint resource_approval_scope
          check ((resource_id is null) = (make is not null) and (make is null) = (model is null))`)
    this.addSql('drop trigger booking_fact on resource_approval')
    this.addSql(`
      create trigger booking_fact after insert or update or delete on resource_approval for each row
        execute function booking_fact_changed('{"memberId": "membership_id", "resourceId?": "resource_id"}', '{}',
          'organization_id')`)
  }
}
