import React from 'react';

/**
 * A framed remark in the running text.
 * Usage: <Callout title="Why it matters">Markdown content</Callout>
 */
export default function Callout({title, children}) {
  return (
    <aside
      style={{
        borderLeft: '4px solid var(--ifm-color-primary)',
        background: 'var(--ifm-background-surface-color)',
        padding: '0.75rem 1rem',
        marginBottom: '1rem',
      }}>
      {title ? <p style={{fontWeight: 700, marginBottom: '0.5rem'}}>{title}</p> : null}
      <div>{children}</div>
    </aside>
  );
}
