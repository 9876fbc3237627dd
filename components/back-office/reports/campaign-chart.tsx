'use client';

import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { axis, ChartFrame, ChartTooltip, grid, type Series } from './chart-parts';

interface CampaignChartProps<Row> {
  /** The description for screen readers. */
  label: string;
  rows: Row[];
  series: Series[];
  format: (value: number) => string;
}

const maxNameLength = 18;
const shorten = (name: string) => (name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1)}…` : name);

/** Campaigns one below the other, with their figures as bars. */
export function CampaignChart<Row extends { name: string }>({ label, rows, series, format }: CampaignChartProps<Row>) {
  return (
    <ChartFrame label={label} series={series}>
      <ResponsiveContainer width="100%" height="100%">
        <BarChart data={rows} layout="vertical" margin={{ top: 0, right: 12, bottom: 0, left: 0 }}>
          <CartesianGrid horizontal={false} {...grid} />
          <XAxis type="number" {...axis} allowDecimals={false} tickFormatter={format} />
          <YAxis type="category" dataKey="name" {...axis} width={128} tickFormatter={shorten} />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: 'var(--tint)' }}
            content={({ active, label: name, payload }) =>
              active && payload[0] ? (
                <ChartTooltip title={String(name)} series={series} values={payload[0].payload} format={format} />
              ) : null
            }
          />
          {series.map(({ key, name, color }) => (
            <Bar
              key={key}
              dataKey={key}
              name={name}
              fill={color}
              radius={3}
              maxBarSize={18}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </ChartFrame>
  );
}
