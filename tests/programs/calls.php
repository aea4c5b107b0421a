<?php
// SPDX-License-Identifier: ISC
// Calls whose number is known, in names of every kind, and 20 milliseconds asleep.
namespace App;

class Tree
{
	public $below = [];

	function __construct(public int $depth)
	{
		for ($i = 0; $depth > 0 && $i < 2; $i++)
			$this->below[] = new Tree($depth - 1);
	}

	function count()
	{
		$n = 1;
		foreach ($this->below as $t)
			$n += $t->count();
		return $n;
	}

	static function plant(int $depth)
	{
		return new self($depth);
	}
}

function nap()
{
	usleep(20000);
}

require_once __DIR__ . '/more calls.php';
$twice = function ($x) {
	return str_repeat($x, 2);
};
$tree = Tree::plant(5);
printf("%d %s\n", $tree->count(), implode(',', array_map($twice, ['a', 'b', 'c'])));
$tree = null;
nap();
