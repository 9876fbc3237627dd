'use client';

import { Area, Bar, CartesianGrid, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { useFormat } from '../state/format';
import { axis, ChartFrame, ChartTooltip, grid, type Series } from './chart-parts';

interface DayChartProps<Row> {
  /** The description for screen readers. */
  label: string;
  /** One per day. */
  rows: Row[];
  series: Series[];
  /** Bars for activity on a day; stacked areas for the balance at its end. */
  shape: 'bars' | 'areas';
  format: (value: number) => string;
  /** Abbreviated, for the axis. */
  formatShort: (value: number) => string;
  /** What `day` names on the axis and over its figures, if it is not a day. */
  tickOf?: (day: string) => string;
  titleOf?: (day: string) => string;
}

export function DayChart<Row extends { day: string }>(props: DayChartProps<Row>) {
  const { label, rows, series, shape, format, formatShort } = props;
  const { calendarDate, shortDate } = useFormat();
  const { tickOf = shortDate, titleOf = calendarDate } = props;
  return (
    <ChartFrame label={label} series={series}>
      <ResponsiveContainer width="100%" height="100%">
        <ComposedChart data={rows} margin={{ top: 8, right: 4, bottom: 0, left: 0 }}>
          <CartesianGrid vertical={false} {...grid} />
          <XAxis dataKey="day" {...axis} tickFormatter={tickOf} minTickGap={24} />
          <YAxis {...axis} width={56} tickFormatter={formatShort} />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: 'var(--tint)', stroke: 'var(--line)' }}
            content={({ active, label: day, payload }) =>
              active && payload[0] ? (
                <ChartTooltip
                  title={titleOf(String(day))}
                  series={series}
                  values={payload[0].payload}
                  format={format}
                />
              ) : null
            }
          />
          {series.map(({ key, name, color, isDashed }) =>
            isDashed ? (
              <Line
                key={key}
                dataKey={key}
                name={name}
                type="linear"
                stroke={color}
                strokeWidth={2}
                strokeDasharray="5 4"
                dot={rows.length === 1}
                isAnimationActive={false}
              />
            ) : shape === 'bars' ? (
              <Bar
                key={key}
                dataKey={key}
                name={name}
                fill={color}
                radius={3}
                maxBarSize={28}
                isAnimationActive={false}
              />
            ) : (
              <Area
                key={key}
                dataKey={key}
                name={name}
                stackId="one"
                type="linear"
                stroke={color}
                strokeWidth={2}
                fill={color}
                fillOpacity={0.22}
                isAnimationActive={false}
              />
            ),
          )}
        </ComposedChart>
      </ResponsiveContainer>
    </ChartFrame>
  );
}
